import { DragomanError } from '@dragoman/protocol';
import { fromBase64Url, toBase64Url } from '../base64.ts';
import type { Reports } from '../reports.ts';

/** A key of the ring that seals `requestState`. */
export interface StateKey {
  /** Names the key in what it sealed: 1 to 32 of `A-Z a-z 0-9 _ -`. Never give it to another secret. */
  readonly id: string;
  /** At least 32 bytes that nobody can guess; a string counts as its UTF-8 bytes. The same in every process of a fleet. */
  readonly secret: string | Uint8Array;
}

/** How `requestState` is protected and how long it lives. */
export interface StateOptions {
  /**
   * The first key seals, all of them open: to rotate, put a new key in front and drop the old one a lifetime later.
   * Default: one random key of this process, with a warning when it is first used, since a retry that reaches another
   * process, or the same one after a restart, is then refused.
   */
  readonly keys?: readonly StateKey[] | undefined;
  /** Milliseconds from question to answer. Default 600,000 (10 minutes). */
  readonly ttlMs?: number | undefined;
  /** Longest `requestState` that is written or read, in characters. Default 65,536. */
  readonly maxLength?: number | undefined;
}

/** Why a `requestState` was not opened. */
export type StateFault = 'invalid' | 'expired';

interface RingKey {
  readonly id: string;
  readonly secret: Uint8Array<ArrayBuffer>;
  /** Derived at its first use. */
  key?: Promise<CryptoKey>;
}

const FORMAT = '1';
const IV_BYTES = 12;
const utf8 = new TextEncoder();

/**
 * Seals and opens `requestState`: AES-256-GCM, with what the state belongs to as additional data, so that it opens only
 * for the same principal, method and arguments (basic/patterns/mrtr, "Server Requirements").
 *
 * Format: `1.<key id>.<base64url of IV, ciphertext and tag>`; inside, the expiry and the state as JSON.
 */
export class StateSeal {
  readonly ttlMs: number;
  readonly maxLength: number;
  readonly #clock: () => number;
  readonly #random: (bytes: Uint8Array<ArrayBuffer>) => void;
  readonly #reports: Reports;
  #ring: readonly RingKey[] | undefined;

  /** @throws DragomanError `INVALID_ARGUMENT` */
  constructor(
    options: StateOptions,
    surroundings: { clock: () => number; random: (bytes: Uint8Array<ArrayBuffer>) => void; reports: Reports },
  ) {
    this.ttlMs = options.ttlMs ?? 600_000;
    this.maxLength = options.maxLength ?? 65_536;
    this.#clock = surroundings.clock;
    this.#random = surroundings.random;
    this.#reports = surroundings.reports;
    if (options.keys !== undefined) this.use(options.keys);
  }

  /** Puts another key ring in place. @throws DragomanError `INVALID_ARGUMENT` */
  use(keys: readonly StateKey[]): void {
    if (keys.length === 0)
      throw new DragomanError('INVALID_ARGUMENT', 'requestState.keys is empty; give at least one key');
    const ids = new Set<string>();
    for (const { id, secret } of keys) {
      if (typeof id !== 'string' || !/^[A-Za-z0-9_-]{1,32}$/.test(id)) {
        throw new DragomanError(
          'INVALID_ARGUMENT',
          `requestState key id ${JSON.stringify(id)} is not 1 to 32 of A-Z a-z 0-9 _ -`,
        );
      }
      if (ids.has(id))
        throw new DragomanError('INVALID_ARGUMENT', `requestState key id ${JSON.stringify(id)} is there twice`);
      ids.add(id);
      const length = bytesOf(secret).length;
      if (length < 32) {
        throw new DragomanError(
          'INVALID_ARGUMENT',
          `requestState key ${JSON.stringify(id)} has a secret of ${length} bytes; at least 32 random ones are needed`,
        );
      }
    }
    this.#ring = keys.map(({ id, secret }) => ({ id, secret: bytesOf(secret) }));
  }

  /** @param binding what the state belongs to; {@link open} needs the same text */
  async seal(state: unknown, binding: string): Promise<string> {
    const entry = this.#keys()[0] as RingKey;
    const sealed = new Uint8Array(IV_BYTES);
    this.#random(sealed);
    const text = utf8.encode(JSON.stringify([this.#clock() + this.ttlMs, state]));
    const algorithm = { name: 'AES-GCM', iv: sealed, additionalData: additional(entry.id, binding) };
    const cipher = new Uint8Array(await crypto.subtle.encrypt(algorithm, await derived(entry), text));
    const bytes = new Uint8Array(IV_BYTES + cipher.length);
    bytes.set(sealed);
    bytes.set(cipher, IV_BYTES);
    return `${FORMAT}.${entry.id}.${toBase64Url(bytes)}`;
  }

  /** Opens a state that came back. Hostile until it opens; what is wrong with it is not told in detail. */
  async open(text: string, binding: string): Promise<{ readonly state: unknown } | { readonly fault: StateFault }> {
    if (text.length > this.maxLength) return { fault: 'invalid' };
    const [format, id, body, ...more] = text.split('.');
    if (format !== FORMAT || body === undefined || more.length > 0) return { fault: 'invalid' };
    const entry = this.#keys().find((candidate) => candidate.id === id);
    const bytes = fromBase64Url(body);
    if (entry === undefined || bytes === undefined || bytes.length <= IV_BYTES) return { fault: 'invalid' };
    const algorithm = {
      name: 'AES-GCM',
      iv: bytes.subarray(0, IV_BYTES),
      additionalData: additional(entry.id, binding),
    };
    let plain: ArrayBuffer;
    try {
      plain = await crypto.subtle.decrypt(algorithm, await derived(entry), bytes.subarray(IV_BYTES));
    } catch {
      return { fault: 'invalid' };
    }
    const [expiry, state] = JSON.parse(new TextDecoder().decode(plain)) as [number, unknown];
    return this.#clock() < expiry ? { state } : { fault: 'expired' };
  }

  #keys(): readonly RingKey[] {
    if (this.#ring !== undefined) return this.#ring;
    const secret = new Uint8Array(32);
    this.#random(secret);
    const id = new Uint8Array(6);
    this.#random(id);
    this.#reports.warning(
      'EPHEMERAL_STATE_KEY',
      'requestState is sealed with a random key of this process: a retry that reaches another process, or comes after a restart, is refused. Set the option requestState.keys',
    );
    this.#ring = [{ id: toBase64Url(id), secret }];
    return this.#ring;
  }
}

const bytesOf = (secret: string | Uint8Array): Uint8Array<ArrayBuffer> =>
  typeof secret === 'string' ? utf8.encode(secret) : new Uint8Array(secret);

const additional = (id: string, binding: string): Uint8Array<ArrayBuffer> => utf8.encode(`${FORMAT}.${id}\n${binding}`);

function derived(entry: RingKey): Promise<CryptoKey> {
  entry.key ??= deriveKey(entry.secret);
  return entry.key;
}

/** The ring's secrets may serve elsewhere too: the key in use is derived for this purpose alone (RFC 5869). */
async function deriveKey(secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey']);
  const derivation = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(),
    info: utf8.encode('dragoman requestState 1'),
  };
  return crypto.subtle.deriveKey(derivation, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}
