/** One piece of work at a time for each key: all who ask for a key in flight share its result. */
export class SingleFlight<T> {
  private readonly flights = new Map<string, Promise<T>>()

  run(key: string, work: () => Promise<T>): Promise<T> {
    const known = this.flights.get(key)
    if (known) return known
    const flight = work()
    this.flights.set(key, flight)
    const land = () => {
      if (this.flights.get(key) === flight) this.flights.delete(key)
    }
    flight.then(land, land)
    return flight
  }

  /** The next to ask starts again; those who wait already get the older result. */
  forget(key: string): void {
    this.flights.delete(key)
  }

  forgetAll(): void {
    this.flights.clear()
  }
}
