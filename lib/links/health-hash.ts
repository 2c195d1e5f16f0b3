import type { Link } from '@/lib/db/generated/client'
import { sha256 } from '@/lib/tools/hash'

/** All that a link can lead to, by one hash: what is known of its destinations is not known of others. */
export const healthHash = ({ url, expiredUrl, routing }: Pick<Link, 'url' | 'expiredUrl' | 'routing'>) =>
  sha256([url, expiredUrl, routing].filter((part) => part !== null).join('\n'))

/** The same in SQL, of a row of Link. */
export const HEALTH_HASH = "UNHEX(SHA2(CONCAT_WS('\\n', Link.url, Link.expiredUrl, Link.routing), 256))"
