/** The part of Accept-Language that is one choice: `pt-BR;q=0.8`. */
const CHOICE = /^([a-z]{2,3})(?:-[a-z0-9]{1,8})*\s*(?:;\s*q\s*=\s*(\d(?:\.\d{0,3})?))?$/i

/**
 * The language that an Accept-Language header prefers, without region and script: `pt` for `pt-BR,pt;q=0.9`.
 * The first among equals; empty where the header names none.
 */
export function preferredLanguage(header: string): string {
  let best = ''
  let bestWeight = 0
  for (const choice of header.split(',')) {
    const [, tag, weight = '1'] = CHOICE.exec(choice.trim()) ?? []
    if (!tag || Number(weight) > 1 || Number(weight) <= bestWeight) continue
    best = tag
    bestWeight = Number(weight)
  }
  return best && modern(best.toLowerCase())
}

/** Old Android and Java say `iw` and `in` for Hebrew and Indonesian, which would split a language in two. */
function modern(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0]?.split('-')[0] ?? tag
  } catch {
    return tag
  }
}
