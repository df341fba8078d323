const secret =
  /(?:^|_)(?:password|passwd|passphrase|passcode|pwd|secret|token|api_?key|private_?key|access_?key|credentials?|card_?number|credit_?card|cvv|cvc)$/;

/**
 * Whether something of this name is likely to be a secret: what nobody should type into a form, and no header should
 * repeat. By its last word, so that `token_limit` is none.
 */
export function namesSecret(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_');
  return secret.test(words.toLowerCase());
}
