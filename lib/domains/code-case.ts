/**
 * Whether the codes of a domain are the same in capitals, by their numbers in `Domain.codeCase`. While that changes, new codes
 * have the folded form, and links are found under the name that was asked for and under its folded form
 * (docs/decisions/0046-case.md).
 */
export const CODE_CASES = ['sensitive', 'changing', 'ignored'] as const
export type CodeCase = (typeof CODE_CASES)[number]

export const codeCaseOf = (stored: number): CodeCase => CODE_CASES[stored] ?? 'sensitive'
export const storedCase = (codeCase: CodeCase): number => CODE_CASES.indexOf(codeCase)
