import { parseUrl } from '@/lib/tools/url'

/** Messages by the path of the field they are about, as the schemas and the API name it. */
export type FieldErrors = Partial<Record<string, string>>

/** A text field of a form. */
export function textOf(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value : ''
}

const HOST_FIRST = /^([^\s/?#:@\\]+)(:\d{1,5})?([/?#]|$)/

/**
 * What was typed or pasted, as the address that was meant: `example.com/page` gets its `https://`. Anything
 * with a scheme of its own stays as it is, for the schema to judge.
 */
export function completeAddress(input: string): string {
  const text = input.trim()
  if (text.startsWith('//')) return `https:${text}`
  const host = HOST_FIRST.exec(text)?.[1]
  return host && (host.includes('.') || host === 'localhost') && parseUrl(`https://${text}`) ? `https://${text}` : text
}

/** What a field says that keeps its value as JSON; null for nothing, or for what no form of ours wrote. */
export function jsonIn<T extends object>(text: string | undefined): T | null {
  if (!text) return null
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' ? (parsed as T | null) : null
  } catch {
    return null
  }
}
