/** Stands for every style sheet in tests: a class is called by its own name. */
const styles: Readonly<Record<string, string>> = new Proxy(
  {},
  { get: (_, name) => (typeof name === 'string' && name !== '__esModule' ? name : undefined) },
);
export default styles;
