import type { CodeRules } from '@/lib/codes/custom'

/** A domain of this deployment, for a form in which one is chosen for a link. */
export interface ShortHost extends CodeRules {
  /** As the API names it. */
  domain: string
  /** Its front page: a code is put behind it. */
  url: string
  /** As people read it. */
  shown: string
  /** Capitals make no difference in its back-halves. */
  ignoresCase?: true
}
