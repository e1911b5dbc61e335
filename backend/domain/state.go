package domain

// Codes of what can be wrong with the parts that models need. Each goes with one plain sentence and with what to do.
const (
	CodeLibraryNone      Code = "library_none"      // no path to one is known
	CodeLibraryMissing   Code = "library_missing"   // nothing is at the path
	CodeLibraryEmpty     Code = "library_empty"     // a file without content, or no file
	CodeLibraryWebPage   Code = "library_web_page"  // a page saved in its place
	CodeLibraryDamaged   Code = "library_damaged"   // cut, or changed
	CodeLibraryOther     Code = "library_other"     // a library, but some other one
	CodeLibraryProcessor Code = "library_processor" // made for another processor or operating system
	CodeLibraryTooOld    Code = "library_too_old"
	CodeLibraryCrashed   Code = "library_crashed" // the process that tried it was lost
	CodeLibraryFailed    Code = "library_failed"  // it does not start, for a reason of its own
	CodeLibraryInUse     Code = "library_in_use"  // this process has loaded another one

	CodeProcessorOld Code = "processor_old" // the processor lacks instructions that the library uses

	CodeDeviceAbsent    Code = "device_absent"     // not part of this library, or not of this operating system
	CodeDeviceNoDriver  Code = "device_no_driver"  // its driver is not installed
	CodeDeviceOldDriver Code = "device_old_driver" // its driver is older than the library needs
	CodeDeviceNone      Code = "device_none"       // the machine has none
	CodeDeviceMemory    Code = "device_memory"     // the model does not fit into it
	CodeDeviceFailed    Code = "device_failed"     // it cannot run the model
	CodeDeviceCrashed   Code = "device_crashed"    // the process that tried it was lost
	CodeDeviceSlow      Code = "device_slow"       // it did not finish in the time for its self-test
	CodeDeviceFellBack  Code = "device_fell_back"  // it left the work to the CPU
	CodeDeviceDisagrees Code = "device_disagrees"  // other scores than the CPU's, or none that can be right
	CodeDeviceUntested  Code = "device_untested"   // not tried yet
	CodeDeviceOff       Code = "device_off"        // the setting names another one

	CodeOCRMissing   Code = "ocr_missing"   // the program that reads images is not installed, or does not run
	CodeOCRLanguages Code = "ocr_languages" // it has no languages

	CodeFileGone    Code = "file_gone"    // it was indexed and is not there any more, or cannot be read
	CodeFileChanged Code = "file_changed" // since it was indexed
	CodeFileAside   Code = "file_aside"   // in quarantine: reading it ended the process that read
	CodeFileBusy    Code = "file_busy"    // a page takes longer to draw than anyone waits
	CodePageFailed  Code = "page_failed"  // the page cannot be drawn

	CodeModelMissing   Code = "model_missing"
	CodeModelFile      Code = "model_file"      // one of its files is missing or cannot be read
	CodeModelEmpty     Code = "model_empty"     // one of its files is
	CodeModelCut       Code = "model_cut"       // one of its files has another size
	CodeModelAltered   Code = "model_altered"   // one of its files has another digest
	CodeModelWebPage   Code = "model_web_page"  // one of its files is a page, or a pointer, saved in its place
	CodeModelManifest  Code = "model_manifest"  // its description is missing or cannot be read
	CodeModelRelease   Code = "model_release"   // its description is of other files than those known here
	CodeModelKind      Code = "model_kind"      // it is a model of another kind
	CodeModelTokenizer Code = "model_tokenizer" // its tokenizer is of another vocabulary, or none
	CodeModelReembed   Code = "model_reembed"   // with it all vectors would have to be made again, and nobody has agreed to that
	CodeModelFailed    Code = "model_failed"    // it cannot be loaded or run, for a reason of its own
)
