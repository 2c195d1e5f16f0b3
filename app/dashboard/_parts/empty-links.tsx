import { Button } from '@/app/_ui/base/button'
import { EmptyState } from '@/app/_ui/base/empty-state'
import { EMPTY_VIEW, isNarrowed, type LinksControl } from '@/app/_ui/links/links-view'

interface Props {
  control: LinksControl
  /** There are links that have not been looked through yet. */
  more: boolean
  onCreate: () => void
}

/** Why there is nothing to see, and what to do about it. */
export function EmptyLinks({ control: { view, change }, more, onCreate }: Props) {
  if (more)
    return (
      <EmptyState title="Nothing found so far" text="Older links have not been looked through yet. Go on to the next page." />
    )
  const all = (
    <Button look="primary" onClick={() => change(EMPTY_VIEW)}>
      Show all links
    </Button>
  )
  if (view.cursor !== null)
    return (
      <EmptyState title="No more links" text="This page is past the last link.">
        {all}
      </EmptyState>
    )
  const narrowedFurther = isNarrowed({ ...view, state: null })
  if (view.state === 'deleted' && !narrowedFurther) {
    return (
      <EmptyState title="Nothing was deleted" text="Links that you delete wait here, in case you want them back.">
        {all}
      </EmptyState>
    )
  }
  if (isNarrowed(view)) {
    return (
      <EmptyState
        title="No links match"
        text="Search for the beginning of a word in the code, title or destination, or take filters off."
      >
        {all}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title="No links yet"
      text="Make your first one: paste a long URL, and its short link appears here with its clicks."
    >
      <Button look="primary" onClick={onCreate}>
        Make a link
      </Button>
    </EmptyState>
  )
}
