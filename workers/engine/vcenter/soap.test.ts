import {
  element,
  envelope,
  escapeXml,
  faultName,
  isNotAuthenticated,
  openEnvelope,
} from './soap.ts';
import { answerXml, faultXml } from './testing/inventoryXml.ts';
import { parseXml } from './xml.ts';

const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

test('what a user types cannot change the request', () => {
  const password = `a&b<c>"d'\u0000\u001Be]]>`;
  const request = parseXml(
    envelope('Login', { type: 'SessionManager', id: 'S&"' }, element('password', password)),
  );
  const login = request.children[0]!.children[0]!;
  expect(login.children.map((c) => [c.name, c.refType, c.text])).toEqual([
    ['_this', 'SessionManager', 'S&"'],
    ['password', null, `a&b<c>"d'e]]>`],
  ]);
  expect(escapeXml('plain')).toBe('plain');
  expect(element('x', undefined)).toBe('');
});

test('an answer opens to its response', () => {
  expect(
    openEnvelope('Op', parseXml(answerXml('CurrentTime', '<returnval>t</returnval>'))).name,
  ).toBe('CurrentTimeResponse');
});

test.each([
  ['InvalidLogin', 'authFailed'],
  ['NoPermission', 'authFailed'],
  ['NotAuthenticated', 'authFailed'],
  ['ManagedObjectNotFound', 'notFound'],
  ['InvalidPowerState', 'conflict'],
  ['ResourceInUse', 'conflict'],
  ['DuplicateName', 'conflict'],
  ['RequestCanceled', 'aborted'],
  ['HostNotReachable', 'unreachable'],
  ['InvalidArgument', 'invalidInput'],
  ['SystemErrorFault', 'internal'],
])('fault %s is %s', (type, kind) => {
  const error = thrownBy(() =>
    openEnvelope('Op on vCenter lab', parseXml(faultXml(type, 'said so'))),
  );
  expect(error).toMatchObject({ kind, details: { fault: type } });
  expect((error as Error).message).toContain('Op on vCenter lab');
  expect(faultName(error)).toBe(type);
  expect(isNotAuthenticated(error)).toBe(type === 'NotAuthenticated');
});

test('a fault without detail is still a fault', () => {
  const bare =
    '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><e:Fault><faultstring>broken</faultstring></e:Fault></e:Body></e:Envelope>';
  expect(thrownBy(() => openEnvelope('Op', parseXml(bare)))).toMatchObject({ kind: 'internal' });
});

test.each(['<html><body>Login</body></html>', '<Envelope/>', '<Envelope><Body/></Envelope>'])(
  '%s is no answer of a vCenter',
  (text) => {
    expect(thrownBy(() => openEnvelope('Op', parseXml(text)))).toMatchObject({
      kind: 'unreachable',
    });
  },
);
