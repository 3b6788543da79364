import { createBrowserDesktop } from './browserDesktop.ts';

const clicked: { name: string; blob: Blob }[] = [];
const blobs = new Map<string, Blob>();
beforeEach(() => {
  clicked.length = 0;
  Object.assign(URL, {
    createObjectURL: (blob: Blob) => {
      const address = `blob:${blobs.size}`;
      blobs.set(address, blob);
      return address;
    },
    revokeObjectURL: () => undefined,
  });
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    clicked.push({ name: this.download, blob: blobs.get(this.href)! });
  });
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('a file is downloaded once it is whole', async () => {
  expect(
    await createBrowserDesktop(window).saveFile(
      'run.csv',
      (async function* pieces() {
        yield 'a,';
        yield new TextEncoder().encode('bc');
      })(),
    ),
  ).toBe('run.csv');
  expect(clicked).toMatchObject([{ name: 'run.csv', blob: { size: 4 } }]);
});

test('what is cancelled in the middle downloads nothing', async () => {
  const stopped = createBrowserDesktop(window).saveFile(
    'run.csv',
    (async function* pieces() {
      yield 'a,';
      throw new DOMException('stop', 'AbortError');
    })(),
  );
  await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
  expect(clicked).toEqual([]);
});
