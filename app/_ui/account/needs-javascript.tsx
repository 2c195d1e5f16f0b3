/** Says so where a page can do nothing without. */
export function NeedsJavaScript() {
  return (
    <noscript>
      <p className="mb-6 rounded-control bg-warn-soft p-4 text-sm text-warn">This page needs JavaScript.</p>
    </noscript>
  )
}
