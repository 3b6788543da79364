import { type Profile, profileSchema, type QosLimit } from '../profile.ts';

/** A profile of one workload, `db` in tps against a reference of 10, with these limits. */
export const limitedProfile = (
  qos: readonly QosLimit[],
  { steadyS = 180, periods = 3 }: Partial<Pick<Profile['phases'], 'steadyS' | 'periods'>> = {},
): Profile =>
  profileSchema.parse({
    schemaVersion: 1,
    id: 'p',
    version: '1',
    name: 'P',
    description: '',
    phases: { rampUpS: 0, staggerS: 0, steadyS, periods, rampDownS: 0 },
    scoring: { tile: 'geometricMean', total: 'sum', periods: 'median', source: 's' },
    workloads: [
      {
        id: 'db',
        role: 'database',
        name: 'Database',
        driver: 'x',
        unit: 'tps',
        reference: 10,
        referenceSource: 's',
        qos,
      },
    ],
  });
