import { ApiError, type ApiName } from '../model/index.js';
import { type Wire, wires } from '../wire/index.js';

/** The API of this name. Names come from programs, not from clients. */
export function wireOf(name: ApiName): Wire {
  const wire = wires.get(name);
  if (wire) return wire;
  const known = [...wires.keys()].join(', ');
  throw new ApiError('internal', `There is no API called ${JSON.stringify(name)}; there are ${known}.`);
}
