/**
 * The mark of the product: four tiles, the one that is being added lifted. The same drawing as
 * `resources/mark.svg`, in the accent of the theme.
 */
export const ProductMark = ({ size = 20 }: { size?: number }): React.ReactNode => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="var(--tb-accent)"
    strokeWidth={2}
    aria-hidden
  >
    <rect x={2} y={4} width={8} height={8} rx={1.5} />
    <rect x={2} y={15} width={8} height={8} rx={1.5} />
    <rect x={13} y={15} width={8} height={8} rx={1.5} />
    <rect x={13} y={1} width={9} height={9} rx={2} fill="var(--tb-accent)" />
  </svg>
);
