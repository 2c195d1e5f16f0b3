import Link from 'next/link'
import { openPath } from './use-open-row'

/** An account by its name, leading to what is known of it. */
export function AccountLink({ id, name }: { id: string; name: string }) {
  return (
    <Link href={openPath('accounts', id)} prefetch={false} className="underline underline-offset-4 hover:text-accent">
      <bdi>{name}</bdi>
    </Link>
  )
}
