"""The workers: RQ jobs, three-line shells over the service, and the command that runs a worker with its sweeper."""
