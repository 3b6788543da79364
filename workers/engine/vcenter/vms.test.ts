import { silentLog } from '../deps.ts';
import { createFakeClock } from '../testing/fakeClock.ts';
import { createCore } from './core.ts';
import { customizationElement, writeXml } from './customization.ts';
import { readEvents, toVmEvent } from './events.ts';
import { createSession } from './session.ts';
import { taskFacts } from './taskFacts.ts';
import {
  createFakeTransport,
  type FakeTransport,
  greetings,
  testConnection,
} from './testing/fakeTransport.ts';
import { answerXml, faultXml } from './testing/inventoryXml.ts';
import { parseXml } from './xml.ts';

const node = (xml: string) =>
  parseXml(`<r xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${xml}</r>`).children[0]!;
const withManagers = greetings['RetrieveServiceContent']!.replace(
  '</returnval>',
  '<eventManager type="EventManager">EventManager</eventManager><customizationSpecManager type="CustomizationSpecManager">SpecManager</customizationSpecManager></returnval>',
);
async function open(answers: Parameters<typeof createFakeTransport>[0]) {
  const transport: FakeTransport = createFakeTransport({
    RetrieveServiceContent: withManagers,
    ...answers,
  });
  const core = createCore(
    { clock: createFakeClock(), log: silentLog },
    testConnection,
    'p',
    transport,
  );
  await core.login();
  return { transport, core };
}
const eventXml = (key: number, second: number, type = 'VmPoweredOffEvent'): string =>
  `<returnval xsi:type="${type}"><key>${key}</key><chainId>9</chainId><createdTime>2026-11-21T10:00:${String(second).padStart(2, '0')}Z</createdTime><userName>LAB\\bob</userName><host><name>esx2</name><host type="HostSystem">host-2</host></host><vm><name>web &lt;1&gt;</name><vm type="VirtualMachine">vm-7</vm></vm><fullFormattedMessage>web is off</fullFormattedMessage></returnval>`;

describe('events', () => {
  test('one as vCenter writes it', () => {
    expect(toVmEvent(node(eventXml(5, 3)))).toEqual({
      key: 5,
      chainId: 9,
      tMs: Date.parse('2026-11-21T10:00:03Z'),
      vmRef: 'vm-7',
      vmName: 'web <1>',
      hostRef: 'host-2',
      type: 'VmPoweredOffEvent',
      text: 'web is off',
      user: 'LAB\\bob',
    });
  });
  test('of an extension: its id is its type; without a time it is none; where a move went to is not where it came from', () => {
    expect(
      toVmEvent(
        node(
          '<e xsi:type="EventEx"><key>1</key><createdTime>2026-11-21T10:00:00Z</createdTime><eventTypeId>com.vmware.vc.ha.VmRestartedByHAEvent</eventTypeId></e>',
        ),
      ),
    ).toMatchObject({ type: 'com.vmware.vc.ha.VmRestartedByHAEvent', vmRef: null, user: null });
    expect(toVmEvent(node('<e><key>1</key></e>'))).toBeNull();
    const moved = (host: string): string | null =>
      toVmEvent(
        node(
          `<e xsi:type="VmMigratedEvent"><key>1</key><createdTime>2026-11-21T10:00:00Z</createdTime><host><host>${host}</host></host><sourceHost><host>host-1</host></sourceHost></e>`,
        ),
      )!.hostRef;
    expect([moved('host-2'), moved('host-1')]).toEqual(['host-2', null]);
  });
  test('are read page by page until one is empty, sorted, each once; the collector is destroyed, also after a failure', async () => {
    const pages = [eventXml(3, 30) + eventXml(2, 20), eventXml(3, 30) + eventXml(4, 10), ''];
    const { core, transport } = await open({
      CreateCollectorForEvents: answerXml(
        'CreateCollectorForEvents',
        '<returnval type="EventHistoryCollector">c-1</returnval>',
      ),
      RewindCollector: answerXml('RewindCollector', ''),
      DestroyCollector: answerXml('DestroyCollector', ''),
      ReadNextEvents: (calls) =>
        pages[calls] === undefined
          ? faultXml('InvalidState')
          : answerXml('ReadNextEvents', pages[calls]),
    });
    const { events, truncated } = await readEvents(core, Date.parse('2026-11-21T10:00:00Z'));
    expect([events.map((event) => event.key), truncated]).toEqual([[4, 2, 3], false]);
    expect(transport.sent.find((one) => one.method === 'CreateCollectorForEvents')!.body).toContain(
      '<beginTime>2026-11-21T10:00:00.000Z</beginTime>',
    );
    await expect(readEvents(core, 0)).rejects.toMatchObject({ kind: 'conflict' });
    expect(transport.count('DestroyCollector')).toBe(2);
  });
});

const taskXml = (ref: string, state: string): string =>
  `<objects><obj type="Task">${ref}</obj><propSet><name>info</name><val xsi:type="TaskInfo"><key>${ref}</key><task type="Task">${ref}</task><descriptionId>VirtualMachine.relocate</descriptionId><entity type="VirtualMachine">vm-1</entity><state>${state}</state><queueTime>2026-11-21T10:00:00Z</queueTime><startTime>2026-11-21T10:00:02Z</startTime><eventChainId>77</eventChainId><progress>40</progress></val></propSet></objects>`;

describe('tasks', () => {
  test('times and chain; an unknown state is none', () => {
    const info = node(
      `<info><task type="Task">task-1</task><state>running</state><queueTime>2026-11-21T10:00:00Z</queueTime><eventChainId>77</eventChainId></info>`,
    );
    expect(taskFacts(info)).toEqual({
      ref: 'task-1',
      state: 'running',
      chainId: 77,
      entityRef: null,
      operation: '',
      progressPct: null,
      queuedMs: Date.parse('2026-11-21T10:00:00Z'),
      startedMs: null,
      completedMs: null,
    });
    expect(taskFacts(node('<info><task type="Task">t</task><state>odd</state></info>'))).toBeNull();
  });
  test('one VM that is gone does not hide the tasks of the others', async () => {
    const { core } = await open({
      RetrievePropertiesEx(_calls, body) {
        if (body.includes('vm-gone')) return faultXml('ManagedObjectNotFound');
        if (body.includes('>Task<'))
          return answerXml(
            'RetrievePropertiesEx',
            `<returnval>${taskXml('task-1', 'running')}</returnval>`,
          );
        return answerXml(
          'RetrievePropertiesEx',
          '<returnval><objects><obj type="VirtualMachine">vm-1</obj><propSet><name>recentTask</name><val xsi:type="ArrayOfManagedObjectReference"><ManagedObjectReference type="Task">task-1</ManagedObjectReference></val></propSet></objects></returnval>',
        );
      },
    });
    const session = createSession(core);
    expect(await session.tasks(['vm-1', 'vm-gone', 'vm-1'])).toEqual([
      expect.objectContaining({
        ref: 'task-1',
        state: 'running',
        entityRef: 'vm-1',
        progressPct: 40,
        chainId: 77,
      }),
    ]);
    await session.logout();
  });
});

describe('DRS and customisation', () => {
  test('only what is given is sent; the rest of the cluster is left as it is', async () => {
    const { core, transport } = await open({
      ReconfigureComputeResource_Task: answerXml(
        'ReconfigureComputeResource_Task',
        '<returnval type="Task">task-9</returnval>',
      ),
      RetrievePropertiesEx: answerXml(
        'RetrievePropertiesEx',
        `<returnval>${taskXml('task-9', 'success')}</returnval>`,
      ),
    });
    const session = createSession(core);
    await session.setDrs('domain-c1', { enabled: true, behavior: 'manual', vmotionRate: null });
    const { body } = transport.sent.find(
      (one) => one.method === 'ReconfigureComputeResource_Task',
    )!;
    expect(body).toContain(
      '<spec xsi:type="ClusterConfigSpecEx"><drsConfig><enabled>true</enabled><defaultVmBehavior>manual</defaultVmBehavior></drsConfig></spec><modify>true</modify>',
    );
    await session.logout();
  });
  test('a specification goes back as it came, types and characters kept', async () => {
    const spec =
      '<spec><options xsi:type="CustomizationLinuxOptions"/><identity xsi:type="CustomizationLinuxPrep"><domain>a &amp; b</domain></identity></spec>';
    const { core } = await open({
      GetCustomizationSpec: (calls) =>
        calls === 0
          ? answerXml('GetCustomizationSpec', `<returnval>${spec}</returnval>`)
          : faultXml('NotFound'),
    });
    expect(await customizationElement(core, 'linux')).toBe(
      '<customization><options xsi:type="CustomizationLinuxOptions"></options><identity xsi:type="CustomizationLinuxPrep"><domain>a &amp; b</domain></identity></customization>',
    );
    await expect(customizationElement(core, 'gone')).rejects.toMatchObject({
      kind: 'notFound',
      message: expect.stringContaining('gone') as string,
    });
    expect(
      writeXml(
        node('<value xmlns:xsd="http://www.w3.org/2001/XMLSchema" xsi:type="xsd:string">x</value>'),
      ),
    ).toContain('xsi:type="xsd:string">x</value>');
  });
});
