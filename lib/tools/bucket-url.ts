import { parseUrl } from './url'

export interface BucketUrl {
  /** Scheme, host and port. */
  origin: string
  bucket: string
  /** Begins the name of each object; '' for none, and otherwise it ends with a slash. */
  prefix: string
}

/** Reads `https://host/bucket/prefix`. @returns null for what is no address of a bucket */
export function parseBucketUrl(text: string): BucketUrl | null {
  const url = parseUrl(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  if (url.username || url.password || url.search || url.hash) return null
  const [bucket = '', ...folders] = url.pathname.split('/').filter(Boolean).map(decodeURIComponent)
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) return null
  return { origin: url.origin, bucket, prefix: folders.map((folder) => `${folder}/`).join('') }
}
