import CommandKit

await Program.run()
