import { jmeterWork } from '../workloads/jmeterFormat.ts';
import { isPrintableLine } from '../workloads/lines.ts';
import { endJmeter, jmeterKey, ofJmeter } from './jmeter.ts';
import { createRequestLog } from './requestLog.ts';
import type { ImportFormat } from './types.ts';

/** A tag with its attributes; the messages of a server may stand in one. */
const longestTag = 64 * 1024;
const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
};

/**
 * JMeter's log as XML, by its start tags alone: texts of requests and answers are passed over, and
 * no declaration or entity of a document's own is read. Published form, and 5.6.3 itself.
 */
export const jmeterXml: ImportFormat = {
  matches: (beginning) => /<testResults version="/.test(beginning),
  open(sink, { fileName }) {
    const log = createRequestLog(sink, { ...ofJmeter, fileName });
    const decoder = new TextDecoder();
    let text = '';
    let samples = 0;
    let ended = false;
    const takeTag = (tag: string): void => {
      if (/^\/testResults\s*$/.test(tag)) ended = true;
      const values = isPrintableLine(tag) ? attributesOf(tag) : null;
      if (!values && !/^(?:\/[\w.:-]+\s*|\?xml .*\?|!--.*--)$/.test(tag)) log.bad();
      if (!values || !/^(?:sample|httpSample)\s/.test(tag)) return;
      samples += 1;
      const of = (name: string): string => values.get(name) ?? '';
      const work = jmeterWork(of('ts'), of('t'), of('s'));
      if (work) log.add(work, jmeterKey(tag, of('t'), of('tn'), samples), samples, of('lb'));
      else log.bad();
    };
    /** Cuts at `<` and `>`: JMeter escapes both wherever they are no tag. */
    const take = (more: string): void => {
      text += more;
      let from = 0;
      for (;;) {
        const start = text.indexOf('<', from);
        // Text between tags, which a torn one leaves a `>` or zeros in.
        const between = text.slice(from, start < 0 ? undefined : start);
        if (between.includes('>') || !isPrintableLine(between)) log.bad();
        if (start < 0) {
          text = '';
          return;
        }
        const end = text.indexOf('>', start);
        const next = text.indexOf('<', start + 1);
        if (next >= 0 && (end < 0 || next < end)) {
          // A tag that was torn costs itself.
          log.bad();
          from = next;
        } else if (end < 0) {
          text = text.slice(start);
          if (text.length <= longestTag) return;
          log.bad();
          text = '';
          return;
        } else {
          takeTag(text.slice(start + 1, end));
          from = end + 1;
        }
      }
    };
    return {
      push: (bytes) => take(decoder.decode(bytes, { stream: true })),
      end() {
        take(decoder.decode());
        if (text !== '' || !ended) log.bad();
        endJmeter(sink, log, fileName);
      },
    };
  },
};

/** Attributes of a start tag; null where it is none that is whole. */
function attributesOf(tag: string): Map<string, string> | null {
  if (!/^[\w.]+(?:\s+[\w:.]+="[^"]*")*\s*\/?$/.test(tag)) return null;
  return new Map(
    [...tag.matchAll(/\s([\w:.]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value
        .replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, (_all, hex: string, decimal: string) => {
          const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
          return code <= 0x10ffff ? String.fromCodePoint(code) : '';
        })
        .replace(/&(?:lt|gt|quot|apos|amp);/g, (one) => entities[one] ?? ''),
    ]),
  );
}
