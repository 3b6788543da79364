import { AppError } from '../../../src/core/base/errors.ts';
import { booleanOf, child, numberOf, parseXml, textOf, xmlTreeParser } from './xml.ts';

const ns =
  'xmlns="urn:vim25" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:_XMLSchema-instance="http://www.w3.org/2001/XMLSchema-instance"';

describe('one element', () => {
  test.each([
    [
      'vCenter writes xsi:type',
      `<val ${ns} xsi:type="xsd:string" xmlns:xsd="x">a</val>`,
      'string',
      null,
      'a',
    ],
    [
      'the simulator writes a prefix of its own',
      `<val ${ns} _XMLSchema-instance:type="HostScsiDisk"/>`,
      'HostScsiDisk',
      null,
      '',
    ],
    [
      'both kinds of type at once',
      `<val ${ns} type="HostSystem" xsi:type="ManagedObjectReference">host-1</val>`,
      'ManagedObjectReference',
      'HostSystem',
      'host-1',
    ],
    ['a reference only', `<val ${ns} type="Folder">group-d1</val>`, null, 'Folder', 'group-d1'],
    ['entities', `<val ${ns}>&lt;a&gt; &amp; &#233;&#x1F600;</val>`, null, null, '<a> & é😀'],
    ['CDATA', `<val ${ns}><![CDATA[<x>&y;]]></val>`, null, null, '<x>&y;'],
    ['a prefixed name', '<soapenv:val xmlns:soapenv="urn:e">b</soapenv:val>', null, null, 'b'],
  ])('%s', (_what, text, type, refType, content) => {
    expect(parseXml(text)).toMatchObject({ name: 'val', type, refType, text: content });
  });

  test.each([
    ['12', 12, true],
    ['-1.5', -1.5, true],
    ['0', 0, false],
    ['', null, false],
    ['x', null, false],
    ['true', null, true],
    ['Infinity', null, false],
  ])('number and boolean of %p', (text, number, truth) => {
    const node = parseXml(`<a>${text}</a>`);
    expect(numberOf(node)).toBe(number);
    if (text === 'true' || text === '0') expect(booleanOf(node)).toBe(truth);
  });
});

test('children keep their order and are found by name', () => {
  const root = parseXml('<a> <b>1</b><c/><b>2</b> </a>');
  expect(root.children.map((c) => c.name)).toEqual(['b', 'c', 'b']);
  expect(textOf(child(root, 'b'))).toBe('1');
  expect(child(root, 'd')).toBeNull();
  expect(textOf(child(root, 'c'))).toBeNull();
});

test('chunks may end anywhere', () => {
  const text = `<a ${ns}><b xsi:type="T">x&amp;y</b><c>é</c></a>`;
  const whole = parseXml(text);
  for (let cut = 1; cut < text.length; cut += 1) {
    const parser = xmlTreeParser();
    parser.write(text.slice(0, cut));
    parser.write(text.slice(cut));
    expect(parser.end()).toEqual(whole);
  }
});

describe('what is not an answer', () => {
  test.each([
    ['', 'empty'],
    ['Not found', 'text'],
    ['<a><b></a>', 'unbalanced'],
    ['<a', 'cut off'],
    ['<a>&evil;</a>', 'unknown entity'],
    ['<x:a/>', 'unbound prefix'],
    ['<a/><b/>', 'two roots'],
    ['<!DOCTYPE a [<!ENTITY e "eeee">]><a>&e;</a>', 'an entity of its own'],
  ])('%p (%s) is unreachable', (text) => {
    expect(() => parseXml(text)).toThrow(
      expect.objectContaining({ kind: 'unreachable' }) as AppError,
    );
  });

  test.each([
    ['length', `<a>${'x'.repeat(1_000)}</a>`, { maxChars: 500, maxDepth: 10, maxNodes: 10 }],
    ['depth', '<a>'.repeat(11) + '</a>'.repeat(11), { maxChars: 500, maxDepth: 10, maxNodes: 100 }],
    ['elements', `<a>${'<b/>'.repeat(10)}</a>`, { maxChars: 500, maxDepth: 10, maxNodes: 10 }],
  ])('bounds the %s', (_what, text, limits) => {
    expect(() => parseXml(text, limits)).toThrow(
      expect.objectContaining({ kind: 'internal' }) as AppError,
    );
  });

  test('a failed parser stays failed', () => {
    const parser = xmlTreeParser();
    expect(() => {
      parser.write('<a></b>');
    }).toThrow(AppError);
    expect(() => {
      parser.write('<a/>');
    }).toThrow(AppError);
    expect(() => parser.end()).toThrow(AppError);
  });
});
