@main enum StreamHostCLI { static func main() {} }
