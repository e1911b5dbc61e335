package readertest

// overOthers says nothing: the system has neither signals nor this measure of priority.
func overOthers() []string { return nil }
