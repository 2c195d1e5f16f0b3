interface Props {
  count: number
  /** Class of the height of each. */
  height: string
  /** Classes of how they stand. */
  className: string
}

/** The outlines of cards that are on their way. */
export function Skeletons({ count, height, className }: Props) {
  return (
    <div className={className}>
      {[...Array(count).keys()].map((number) => (
        <div key={number} className={`skeleton rounded-card! ${height}`} />
      ))}
    </div>
  )
}
