@main struct AnalyzeCLI { static func main() { print("analyze-cli") } }
