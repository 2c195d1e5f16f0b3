import { englishDataset, type Node, SyntaxKind } from 'obscenity'

/** What stands for which letter to the eye. */
const LOOKALIKES: Record<string, string> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b' }

/**
 * One expression for every word of the data set. The package's own matcher walks over each word for each
 * code, which took more time than everything else in making one.
 */
const RUDE = new RegExp(
  englishDataset
    .build()
    .blacklistedTerms.map(({ pattern }) => {
      const words = pattern.nodes.map(sourceOf).join('')
      return (pattern.requireWordBoundaryAtStart ? '^' : '') + words + (pattern.requireWordBoundaryAtEnd ? '$' : '')
    })
    .join('|'),
)

function sourceOf(node: Node): string {
  if (node.kind === SyntaxKind.Literal) return String.fromCodePoint(...node.chars).replace(/[^a-z]/g, '\\$&')
  if (node.kind === SyntaxKind.Optional) return `(?:${sourceOf(node.childNode)})?`
  return '.'
}

/** Whether a generated code spells a rude English word, also with digits for letters. */
export const isRude = (code: string): boolean => RUDE.test(withoutLookalikes(code))

/** In lower case, each digit that looks like a letter as that letter. */
export const withoutLookalikes = (text: string): string =>
  text.toLowerCase().replace(/[0-8]/g, (digit) => LOOKALIKES[digit] ?? digit)
