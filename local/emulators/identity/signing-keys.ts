/** An issuer's signing key and published key set. After a rotation the previous key stays published. */
import { SignJWT, exportJWK, generateKeyPair } from "jose";
import type { CryptoKey, JWK, JWTPayload } from "jose";

type SigningKey = { readonly id: string; readonly privateKey: CryptoKey; readonly published: JWK };

const algorithm = "RS256";

export class SigningKeys {
  readonly #keys: SigningKey[];

  static async create(): Promise<SigningKeys> {
    return new SigningKeys([await createKey(1)]);
  }

  private constructor(keys: SigningKey[]) {
    this.#keys = keys;
  }

  /** The key set as it is served. */
  published(): { readonly keys: readonly JWK[] } {
    return { keys: this.#keys.slice(-2).map(({ published }) => published) };
  }

  async rotate(): Promise<void> {
    this.#keys.push(await createKey(this.#keys.length + 1));
  }

  sign(claims: JWTPayload): Promise<string> {
    const key = this.#keys.at(-1);
    if (key === undefined) throw new Error("the issuer has no key");
    return new SignJWT(claims).setProtectedHeader({ alg: algorithm, typ: "JWT", kid: key.id }).sign(key.privateKey);
  }
}

async function createKey(number: number): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm);
  const id = `emulated-${number}`;
  const published = { ...(await exportJWK(publicKey)), kid: id, alg: algorithm, use: "sig" };
  return { id, privateKey, published };
}
