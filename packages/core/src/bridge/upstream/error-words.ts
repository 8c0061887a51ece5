import type { ApiError } from '../../model/index.js';

/** Only the start of a long error is read. */
const LONGEST = 4000;

/**
 * Gives the words of an upstream's error in lower case and without quotes, which differ between servers. The body is read,
 * too: routers quote the provider's error there, with a message of their own.
 */
export function errorWords({ message, body = '' }: ApiError): string {
  return `${message.slice(0, LONGEST)} ${body.slice(0, LONGEST)}`.toLowerCase().replaceAll(/["'`\\]/g, '');
}
