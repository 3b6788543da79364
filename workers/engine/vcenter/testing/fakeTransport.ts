import { AppError, fail } from '../../../../src/core/base/errors.ts';
import type { VCenterConnection } from '../../../../src/core/testbed/connection.ts';
import type { PostOptions, Transport } from '../transport.ts';
import { parseXml } from '../xml.ts';
import { answerXml } from './inventoryXml.ts';

export const testConnection: VCenterConnection = {
  kind: 'vcenter',
  id: 'vc1',
  name: 'lab',
  host: '127.0.0.1',
  port: 443,
  user: 'user@lab',
  password: { env: 'UNUSED' },
};

/** What a vCenter answers first, whatever is asked of it later. */
export const greetings: Record<string, string> = {
  RetrieveServiceContent: answerXml(
    'RetrieveServiceContent',
    `<returnval><rootFolder type="Folder">group-d1</rootFolder><propertyCollector type="PropertyCollector">propertyCollector</propertyCollector><viewManager type="ViewManager">ViewManager</viewManager><about><fullName>VMware vCenter Server 8.0.2</fullName><version>8.0.2</version><build>1</build><apiType>VirtualCenter</apiType><apiVersion>8.0.2.0</apiVersion><instanceUuid>u-1</instanceUuid></about><sessionManager type="SessionManager">SessionManager</sessionManager><authorizationManager type="AuthorizationManager">AuthorizationManager</authorizationManager><perfManager type="PerformanceManager">PerfMgr</perfManager></returnval>`,
  ),
  Login: answerXml('Login', '<returnval><key>k-1</key><userName>user@lab</userName></returnval>'),
  Logout: answerXml('Logout', ''),
  CreateContainerView: answerXml(
    'CreateContainerView',
    '<returnval type="ContainerView">view-1</returnval>',
  ),
  DestroyView: answerXml('DestroyView', ''),
};

export interface FakeTransport extends Transport {
  readonly sent: { method: string; body: string; options: PostOptions }[];
  count(method: string): number;
}

/** Answers each method by a text, or by a function of how often it was called before. */
export function createFakeTransport(
  answers: Record<string, string | ((calls: number, body: string) => string | AppError)>,
): FakeTransport {
  const sent: FakeTransport['sent'] = [];
  const count = (method: string): number => sent.filter((one) => one.method === method).length;
  const table = { ...greetings, ...answers };
  return {
    sent,
    count,
    post(body, options) {
      const method = /Body><([A-Za-z_]+) /.exec(body)?.[1] ?? '';
      const answer = table[method];
      const before = count(method);
      sent.push({ method, body, options });
      const found = typeof answer === 'function' ? answer(before, body) : answer;
      if (found === undefined) return Promise.reject(fail('internal', `No answer for ${method}.`));
      if (found instanceof AppError) return Promise.reject(found);
      return Promise.resolve({
        root: parseXml(found),
        cookie: method === 'Login' ? 'vmware_soap_session=1' : null,
      });
    },
    close: () => undefined,
  };
}
