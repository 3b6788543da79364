import { clientPlaces } from './clientPattern.ts';

const of = (name: string, host: string, port: number | string = 22) =>
  clientPlaces({ name, host, port });

test('names and addresses go together, in order', () => {
  expect(of('client{1..2}', '10.0.0.{11..12}')).toEqual({
    places: [
      { name: 'client1', host: '10.0.0.11', port: 22 },
      { name: 'client2', host: '10.0.0.12', port: 22 },
    ],
  });
});

test('a port of the address stands above the field', () => {
  expect(of('c{1..2}', '127.0.0.1:{2201,2202}')).toMatchObject({
    places: [{ port: 2_201 }, { port: 2_202 }],
  });
  expect(of('c', '[::1]:2222')).toEqual({ places: [{ name: 'c', host: '::1', port: 2_222 }] });
  expect(of('c', 'fe80::1')).toEqual({ places: [{ name: 'c', host: 'fe80::1', port: 22 }] });
});

test.each([
  ['', 'client{1..2}', ['client1', 'client2']],
  ['lab', 'client{1..2}', ['client1', 'client2']],
  ['', 'client1', ['client1']],
  ['mine', 'client1', ['mine']],
])('%p at %s is called %p', (name, host, names) =>
  expect(of(name, host)).toMatchObject({ places: names.map((one) => ({ name: one })) }),
);

test.each([
  ['c{1..3}', '10.0.0.{1..2}', 'name', '3 names for 2 addresses: as many of each are needed.'],
  ['c{1..3}', 'one', 'name', '3 names for one address: as many of each are needed.'],
  ['c{1..2}', '10.0.0.{7,7}', 'host', '10.0.0.7:22 stands there twice.'],
  ['c{1', 'one', 'name', 'A brace has no partner.'],
])('%s at %s is refused', (name, host, field, problem) =>
  expect(of(name, host)).toEqual({ field, problem }),
);
