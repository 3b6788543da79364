import { ZipFile } from 'yazl';

/** What a test writes into a cell; `formula` with what somebody stored beside it. */
export type XlsxCell = string | number | boolean | null | { formula: string; stored: string };
export interface XlsxSheet {
  name: string;
  rows: readonly (readonly XlsxCell[])[];
}

const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);
const letters = (index: number): string =>
  index < 26
    ? String.fromCharCode(65 + index)
    : letters(Math.floor(index / 26) - 1) + String.fromCharCode(65 + (index % 26));

/** The parts of a workbook as spreadsheets write them: words once, in `sharedStrings.xml`. */
export function xlsxParts(sheets: readonly XlsxSheet[]): Map<string, string> {
  const words: string[] = [];
  const place = new Map<string, number>();
  const shared = (word: string): number => {
    const known = place.get(word);
    if (known !== undefined) return known;
    place.set(word, words.push(word) - 1);
    return words.length - 1;
  };
  const cell = (value: XlsxCell, at: string): string => {
    if (value === null || value === '') return '';
    if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`;
    if (typeof value === 'boolean') return `<c r="${at}" t="b"><v>${value ? 1 : 0}</v></c>`;
    if (typeof value === 'string') return `<c r="${at}" t="s"><v>${shared(value)}</v></c>`;
    return `<c r="${at}"><f>${escape(value.formula)}</f><v>${escape(value.stored)}</v></c>`;
  };
  const parts = new Map<string, string>();
  const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  sheets.forEach(({ rows }, index) => {
    const data = rows
      .map(
        (row, y) =>
          `<row r="${y + 1}">${row.map((value, x) => cell(value, `${letters(x)}${y + 1}`)).join('')}</row>`,
      )
      .join('');
    parts.set(
      `xl/worksheets/sheet${index + 1}.xml`,
      `${head}<worksheet xmlns="${main}"><sheetData>${data}</sheetData></worksheet>`,
    );
  });
  parts.set(
    'xl/sharedStrings.xml',
    `${head}<sst xmlns="${main}">${words
      .map((word) => `<si><t xml:space="preserve">${escape(word)}</t></si>`)
      .join('')}</sst>`,
  );
  parts.set(
    'xl/workbook.xml',
    `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${sheets
      .map(({ name }, i) => `<sheet name="${escape(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
      .join('')}</sheets></workbook>`,
  );
  parts.set(
    'xl/_rels/workbook.xml.rels',
    `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${sheets
      .map(
        (_, i) =>
          `<Relationship Id="rId${i + 1}" Type="${office}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
      )
      .join('')}</Relationships>`,
  );
  return parts;
}

/** The bytes of parts as one archive. */
export async function zipOf(parts: ReadonlyMap<string, string>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, text] of parts)
    zip.addBuffer(Buffer.from(text), name, { mtime: new Date(2026, 0, 5) });
  zip.end();
  const pieces: Buffer[] = [];
  for await (const piece of zip.outputStream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** A workbook of these sheets. */
export const makeXlsx = (sheets: readonly XlsxSheet[]): Promise<Buffer> => zipOf(xlsxParts(sheets));

/** An export of RVTools: a cluster of hosts, what they share, and its VMs. */
export function rvtools(options: { cpuModel?: string; hosts?: number } = {}): XlsxSheet[] {
  const { cpuModel = 'Intel(R) Xeon(R) CPU X5570 @ 2.93GHz', hosts = 4 } = options;
  const names = Array.from({ length: hosts }, (_, i) => `esx0${i + 1}.example.com`);
  return [
    {
      name: 'vInfo',
      rows: [
        ['VM', 'Powerstate', 'Template', 'CPUs', 'Memory', 'Annotation', 'Host', 'Cluster'],
        ...names.flatMap((host, i) => [
          [`app${i}`, 'poweredOn', false, 2, 4_096, 'two\nlines', host, 'Production'],
          [`old${i}`, 'poweredOff', false, 1, 1_024, null, host, 'Production'],
        ]),
        ['gold', 'poweredOff', true, 1, 2_048, null, names[0]!, 'Production'],
      ],
    },
    {
      name: 'vHost',
      rows: [
        [
          'Host',
          'Datacenter',
          'Cluster',
          'CPU Model',
          'Speed',
          'HT Active',
          '# CPU',
          'Cores per CPU',
          '# Cores',
          '# Memory',
          '# NICs',
          '# HBAs',
          'ESX Version',
          'Vendor',
          'Model',
        ],
        ...names.map((name) => [
          name,
          'Berlin',
          'Production',
          cpuModel,
          2_933,
          true,
          2,
          4,
          8,
          98_294,
          4,
          2,
          'VMware ESXi 4.1.0 build-260247',
          'HP',
          'ProLiant DL380 G6',
        ]),
      ],
    },
    {
      name: 'vDatastore',
      rows: [
        ['Name', 'Type', 'Capacity MiB', '# Hosts'],
        ['san-a', 'VMFS', 1_048_320, hosts],
        ['san-b', 'VMFS', 1_048_320, hosts],
        ['local-1', 'VMFS', 130_000, 1],
      ],
    },
  ];
}
