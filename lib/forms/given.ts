/** Fields of a new link that an address hands to the dashboard, which opens the form with them. */
export const GIVEN = ['url', 'title', 'code'] as const
export type Given = Readonly<Partial<Record<(typeof GIVEN)[number], string>>>

/** What is longer is cut: a title of a page can be as long as it likes. */
const MOST = { url: 8_192, title: 255, code: 128 }

/** The page of the dashboard with the form, filled in. */
export function newLinkPath(given: Given): string {
  const fields = GIVEN.flatMap((name) => {
    const value = given[name]?.trim().slice(0, MOST[name]) ?? ''
    return value === '' ? [] : [[name, value] as [string, string]]
  })
  return `/dashboard?${new URLSearchParams([['create', ''], ...fields])}`
}
