"""What the program needs beside the verifier: files, folders of logs, processor time, standard output."""
