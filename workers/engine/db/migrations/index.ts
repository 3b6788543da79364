import type BetterSqlite from 'better-sqlite3';

import { first } from './0001-first.ts';
import { profiles } from './0002-profiles.ts';
import { studies } from './0003-studies.ts';
import { testbedVersions } from './0004-testbed-versions.ts';
import { history } from './0005-history.ts';
import { trust } from './0006-trust.ts';
import { recordParts } from './0007-record-parts.ts';
import { guestJobs } from './0008-guest-jobs.ts';
import { stories } from './0009-stories.ts';

export type Migration = (db: BetterSqlite.Database) => void;

/**
 * In order; a file at `user_version` n has had the first n. Never edit one that was released: add
 * one.
 */
export const migrations: readonly Migration[] = [
  first,
  profiles,
  studies,
  testbedVersions,
  history,
  trust,
  recordParts,
  guestJobs,
  stories,
];
