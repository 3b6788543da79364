/** Style of a report file: light and dark by the reader's system, and print. */
export const reportStyle = `
:root {
  color-scheme: light dark;
  --bg: #fff;
  --paper: #fff;
  --text: #1d2026;
  --dim: #5a606b;
  --line: #d9dce1;
  --grid: #e4e7eb;
  --steady: #eef2f7;
  --limit: #b3261e;
  --mark: #7b1fa2;
  --bad: #b3261e;
  --bad-bg: #fdecea;
  --good: #1b6e3c;
  --good-bg: #e7f5ec;
  --even-bg: #f1f3f5;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --bg: #16181c;
    --paper: #1b1e23;
    --text: #e6e8ec;
    --dim: #a3a9b4;
    --line: #3a3f48;
    --grid: #2f343c;
    --steady: #22262d;
    --limit: #ff8a80;
    --mark: #ce93d8;
    --bad: #ff8a80;
    --bad-bg: #3a1f1e;
    --good: #7fd6a0;
    --good-bg: #1b3325;
    --even-bg: #23272e;
  }
}
body {
  font:
    14px/1.45 Report,
    system-ui,
    sans-serif;
  background: var(--bg);
  color: var(--text);
  margin: 0 auto;
  padding: 24px;
  max-width: 1000px;
  font-variant-numeric: tabular-nums;
}
h1 {
  font-size: 28px;
  line-height: 1.2;
  margin: 0 0 8px;
  overflow-wrap: anywhere;
}
h2 {
  font-size: 20px;
  border-bottom: 1px solid var(--line);
  padding-bottom: 4px;
  margin-top: 32px;
}
h3 {
  font-size: 14px;
  margin: 16px 0 4px;
}
.mark {
  border: 2px solid var(--mark);
  padding: 8px 12px;
  margin: 8px 0;
}
.mark b {
  color: var(--mark);
}
.banner {
  border: 2px solid var(--bad);
  background: var(--bad-bg);
  padding: 8px 16px;
  margin: 8px 0;
}
.banner h2 {
  font-size: 16px;
  color: var(--bad);
  border: 0;
  margin: 0;
  padding: 0;
}
.banner ul {
  margin: 4px 0;
  padding-left: 20px;
}
.banner p {
  margin: 4px 0 0;
}
.verdict {
  font-size: 17px;
  font-weight: 600;
  margin: 16px 0;
}
.numbers {
  display: grid;
  grid-template-columns: repeat(3, 1fr);
  gap: 16px;
  list-style: none;
  margin: 16px 0;
  padding: 12px 0;
  border: solid var(--line);
  border-width: 1px 0;
}
.numbers span {
  display: block;
  font-size: 12px;
  color: var(--dim);
}
.numbers strong {
  display: block;
  font-size: 28px;
  line-height: 36px;
  font-weight: 600;
}
.numbers strong.bad {
  color: var(--bad);
}
.numbers small {
  font-size: 14px;
  font-weight: 400;
  color: var(--dim);
}
dl {
  display: grid;
  grid-template-columns: max-content 1fr;
  gap: 4px 16px;
}
dt {
  color: var(--dim);
}
dd {
  margin: 0;
  overflow-wrap: anywhere;
}
.scroll {
  overflow-x: auto;
}
table {
  border-collapse: collapse;
  width: 100%;
  font-size: 13px;
}
th,
td {
  text-align: left;
  padding: 3px 8px;
  border-bottom: 1px solid var(--line);
  vertical-align: top;
  overflow-wrap: anywhere;
}
th {
  color: var(--dim);
  font-weight: 600;
  overflow-wrap: normal;
}
.r {
  text-align: right;
  white-space: nowrap;
}
td.good {
  color: var(--good);
  background: var(--good-bg);
}
td.bad {
  color: var(--bad);
  background: var(--bad-bg);
}
td.even {
  background: var(--even-bg);
}
td.strong {
  font-weight: 600;
}
.note {
  color: var(--dim);
  font-size: 12px;
  margin: 4px 0 12px;
}
figure {
  margin: 12px 0;
  background: var(--paper);
  border: 1px solid var(--line);
}
figure > svg {
  display: block;
  width: 100%;
  height: auto;
}
figcaption {
  font-size: 12px;
  color: var(--dim);
  padding: 4px 8px;
  min-height: 18px;
}
figure:focus-visible,
button:focus-visible {
  outline: 2px solid #2f86d6;
  outline-offset: 1px;
}
.legend {
  display: flex;
  flex-wrap: wrap;
  gap: 4px 8px;
  list-style: none;
  margin: 0;
  padding: 0 8px 4px;
}
.legend button {
  display: inline-flex;
  gap: 6px;
  align-items: center;
  font: inherit;
  font-size: 12px;
  color: var(--text);
  background: none;
  border: 1px solid transparent;
  border-radius: 4px;
  padding: 1px 6px;
  cursor: pointer;
  text-align: left;
}
.legend button:hover {
  border-color: var(--line);
}
.legend button[aria-pressed='false'] {
  text-decoration: line-through;
  opacity: 0.55;
}
.legend svg {
  flex-shrink: 0;
}
@media (min-width: 900px) {
  .pairs {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 0 12px;
  }
}
g.off,
path.off {
  display: none;
}
details {
  margin: 12px 0;
}
summary {
  cursor: pointer;
}
pre {
  font:
    12px/1.4 ui-monospace,
    monospace;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  border: 1px solid var(--line);
  padding: 8px;
  max-height: 480px;
  overflow: auto;
}
footer {
  color: var(--dim);
  font-size: 12px;
  margin-top: 32px;
  border-top: 1px solid var(--line);
  padding-top: 8px;
}
@media print {
  @page {
    margin: 16mm 14mm;
  }
  body {
    padding: 0;
    max-width: none;
    font-size: 11px;
  }
  :root {
    color-scheme: light;
  }
  table {
    font-size: 10px;
  }
  thead {
    display: table-header-group;
  }
  figure,
  tr,
  .banner,
  .mark {
    break-inside: avoid;
  }
  h2,
  h3 {
    break-after: avoid;
  }
  .page {
    break-before: page;
  }
  pre {
    max-height: none;
    font-size: 8px;
  }
  .banner,
  .mark,
  td {
    print-color-adjust: exact;
  }
}
`;
