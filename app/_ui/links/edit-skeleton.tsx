/** In place of the edit form while the link is on its way. */
export function EditSkeleton() {
  return (
    <div className="space-y-5" role="status" aria-label="Loading the link">
      {['destination', 'title', 'times', 'password'].map((part) => (
        <div key={part}>
          <div className="skeleton h-4 w-24" />
          <div className="skeleton mt-2 h-10" />
        </div>
      ))}
    </div>
  )
}
