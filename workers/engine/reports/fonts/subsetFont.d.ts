/** What is used of the package, which has no types of its own. */
declare module 'subset-font' {
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: {
      targetFormat: 'truetype' | 'woff2';
      variationAxes: Readonly<Record<string, number | { min: number; max: number }>>;
    },
  ): Promise<Uint8Array>;
}
