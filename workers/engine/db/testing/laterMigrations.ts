import { type Migration, migrations } from '../migrations/index.ts';

/** The shipped ones, and thirty more that each take a while. */
export const manyMigrations: readonly Migration[] = [
  ...migrations,
  ...Array.from({ length: 30 }, (_, n): Migration => (db) => {
    db.exec(`CREATE TABLE later_${n} (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT`);
    const put = db.prepare(`INSERT INTO later_${n} (text) VALUES (?)`);
    for (let i = 0; i < 300; i += 1) put.run(`row ${i}`);
  }),
];
