import { csv } from './csv.ts';
import { http } from './http.ts';
import { nut } from './nut.ts';
import { ptd } from './ptd.ts';
import { redfish } from './redfish.ts';
import { snmp } from './snmp.ts';
import { vcenter } from './vcenter.ts';

/** Where watts come from, by the `type` of a source, in the order of the form. */
export const powerSources = { nut, redfish, snmp, http, ptd, csv, vcenter };
