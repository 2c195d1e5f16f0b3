interface Scope {
  tag?: string | null
  folder?: string | null
  domain?: string | null
}

/** The page with the statistics of all links, or of those with a tag, in a folder, or on a domain. */
export function scopePath({ tag, folder, domain }: Scope = {}): string {
  const [name] = Object.entries({ tag, folder, domain }).flatMap(([name, value]) => (value ? [[name, value]] : []))
  return name ? `/stats?${new URLSearchParams([name])}` : '/stats'
}
