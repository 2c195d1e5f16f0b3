import compile from 'icu-minify/compile'

/**
 * A tree of messages with each parsed from ICU MessageFormat: so the browser needs no parser. Most are plain text and stay as
 * they are.
 */
export function compileMessages<T extends object>(tree: T): T {
  const compiled = Object.entries(tree).map(([key, value]) => [
    key,
    // Copied since what is compiled has objects without a prototype, and React sends only plain ones to the browser.
    typeof value === 'string' ? structuredClone(compile(value)) : compileMessages(value as object),
  ])
  return Object.fromEntries(compiled)
}
