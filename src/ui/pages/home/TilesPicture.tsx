import classes from './home.module.css';

const hosts = [0, 1, 2, 3];
/** Squares of one host: rows of three, a row a tile. */
const rows = [0, 1, 2];
const columns = [0, 1, 2];

/** What the product does, as a drawing: clients load VMs on hosts, more tiles each time. */
export function TilesPicture() {
  return (
    <svg
      viewBox="0 0 640 150"
      className={classes.picture}
      role="img"
      aria-label="Clients load the VMs of tiles on four hosts with shared storage; tiles are being added"
    >
      {hosts.map((host) => (
        <g key={host}>
          <line className={classes.way} x1={92} y1={70} x2={150 + host * 92} y2={70} />
          <line className={classes.way} x1={226 + host * 92} y1={70} x2={540} y2={70} />
        </g>
      ))}
      <rect className={classes.machine} x={8} y={48} width={84} height={44} rx={6} />
      <text x={50} y={74} textAnchor="middle">
        Clients
      </text>
      {hosts.map((host) => (
        <g key={host} transform={`translate(${150 + host * 92} 18)`}>
          <rect className={classes.machine} width={76} height={104} rx={6} />
          {rows.map((row) =>
            columns.map((column) => (
              <rect
                key={`${row} ${column}`}
                className={row === 2 ? classes.added : classes.vm}
                x={10 + column * 20}
                y={74 - row * 22}
                width={16}
                height={18}
                rx={2}
              />
            )),
          )}
          <text x={38} y={124} textAnchor="middle">{`Host ${host + 1}`}</text>
        </g>
      ))}
      <rect className={classes.machine} x={540} y={48} width={92} height={44} rx={6} />
      <text x={586} y={74} textAnchor="middle">
        Storage
      </text>
    </svg>
  );
}
