/** The logo. Decorative: the name stands beside it. @param mark as lib/brand writes it */
export function Logo({ mark }: { mark: string }) {
  return (
    <span
      aria-hidden="true"
      className="inline-flex shrink-0"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: made by us, and shared with pages that have no React
      dangerouslySetInnerHTML={{ __html: mark }}
    />
  )
}
