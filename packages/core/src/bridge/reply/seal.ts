// Seals text that a client keeps for this server: encrypted and authenticated (AES-GCM, WebCrypto), so that a client can
// neither read nor change it.

/** The beginning of everything that was sealed here, with the version of the form. */
const MARK = 'dragoman1.';
const IV_BYTES = 12;

type SealKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

export interface Seal {
  close(text: string): Promise<string>;
  /** Whether the text has the form of sealed text; another key may have sealed it. */
  isOwn(sealed: string): boolean;
  /** Gives the text; undefined if it was changed, cut, or sealed with another key. Never throws. */
  open(sealed: string): Promise<string | undefined>;
}

/** Without a secret the key is random: what it seals can be opened as long as this process runs. */
export function createSeal(secret?: string): Seal {
  let made: Promise<SealKey> | undefined;
  const key = () => {
    made ??= keyOf(secret);
    return made;
  };
  return {
    close: async (text) => MARK + toBase64(await encrypt(await key(), text)),
    isOwn: (sealed) => sealed.startsWith(MARK),
    async open(sealed) {
      if (!sealed.startsWith(MARK)) return undefined;
      try {
        return await decrypt(await key(), fromBase64(sealed.slice(MARK.length)));
      } catch {
        return undefined;
      }
    },
  };
}

async function keyOf(secret: string | undefined): Promise<SealKey> {
  const bytes =
    secret === undefined
      ? crypto.getRandomValues(new Uint8Array(32))
      : await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`dragoman seal ${secret}`));
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

async function encrypt(key: SealKey, text: string): Promise<Uint8Array> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const data = new TextEncoder().encode(text);
  const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, data));
  const whole = new Uint8Array(IV_BYTES + sealed.length);
  whole.set(iv);
  whole.set(sealed, IV_BYTES);
  return whole;
}

async function decrypt(key: SealKey, whole: Uint8Array<ArrayBuffer>): Promise<string> {
  const iv = whole.subarray(0, IV_BYTES);
  const data = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, whole.subarray(IV_BYTES));
  return new TextDecoder().decode(data);
}

/** Bytes that are made a string at once: a call takes a bounded number of arguments. */
const AT_ONCE = 8192;

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += AT_ONCE)
    text += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE));
  return btoa(text);
}

/** Throws if the text is no base64. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
