/** Longer ones may need two lines of their own. */
const LONGEST_WHOLE = 20

/** A short link as it is read: where it takes two lines, its code stays whole. */
export function ShortName({ name }: { name: string }) {
  const at = name.lastIndexOf('/') + 1
  const code = name.slice(at)
  return (
    <>
      {name.slice(0, at)}
      <wbr />
      <span className={code.length <= LONGEST_WHOLE ? 'whitespace-nowrap' : undefined}>{code}</span>
    </>
  )
}
