// Ids of a fixed length: Mistral's templates refuse others.

/**
 * Gives the last letters and digits of an id, filled up with zeros: `call_1` becomes `0000call1`. An id that is spelled so
 * already stays.
 */
export function shortId(id: string, letters: number): string {
  const plain = id.slice(-256).replace(/[^A-Za-z0-9]/g, '');
  return plain.slice(-letters).padStart(letters, '0');
}
