"""The program around the verifier: files, folders of logs, options, time limits, standard output."""
