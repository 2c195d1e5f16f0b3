/**
 * Percent-encodes what a client should have encoded in its address.
 * @param sent as Node reads it: one character for each byte (Latin-1)
 * @param unfit the characters to encode, with the flag g
 */
export const asciiOf = (sent: string, unfit: RegExp) =>
  sent.replace(unfit, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
