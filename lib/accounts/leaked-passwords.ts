import { dictionary } from '@zxcvbn-ts/language-common'

const list: unknown = dictionary['passwords-common']
if (!Array.isArray(list) || list.length < 10_000) throw new Error('the list of common passwords is not where it was')

/** The 49,000 that leaked most often. To be loaded with the first password that is set: some processes never see one. */
export const LEAKED: ReadonlySet<string> = new Set(list.map(String))
