import { type DescEnum, type DescExtension, type DescFile, type DescMessage, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";

/** Finds the file in which something is declared. */
export interface DescriptorIndex {
  /** Full names of the services of the root files, sorted. */
  readonly services: readonly string[];
  fileByName(name: string): DescFile | undefined;
  /** By the full name of a message, field, oneof, enum, enum value, extension, service or method. */
  fileBySymbol(fullName: string): DescFile | undefined;
  fileByExtension(extendee: string, number: number): DescFile | undefined;
  /** A file as tools read it: the same bytes each time. */
  encoded(file: DescFile): Uint8Array;
  /** Undefined when there is no such type. */
  extensionNumbers(extendee: string): number[] | undefined;
}

/** Indexes `roots` and all that they import. */
export function indexDescriptors(roots: readonly DescFile[]): DescriptorIndex {
  const files = new Map<string, DescFile>();
  const symbols = new Map<string, DescFile>();
  const extensions = new Map<string, Map<number, DescFile>>();

  const addEnums = (file: DescFile, enums: readonly DescEnum[]) => {
    for (const desc of enums) {
      symbols.set(desc.typeName, file);
      // Values are siblings of their enum, not children.
      const scope = desc.typeName.slice(0, desc.typeName.lastIndexOf(".") + 1);
      for (const value of desc.values) symbols.set(scope + value.name, file);
    }
  };
  const addExtensions = (file: DescFile, declared: readonly DescExtension[]) => {
    for (const extension of declared) {
      symbols.set(extension.typeName, file);
      const numbers = extensions.get(extension.extendee.typeName) ?? new Map<number, DescFile>();
      extensions.set(extension.extendee.typeName, numbers.set(extension.number, file));
    }
  };
  const addMessage = (file: DescFile, message: DescMessage) => {
    symbols.set(message.typeName, file);
    for (const member of message.members) symbols.set(`${message.typeName}.${member.name}`, file);
    for (const nested of message.nestedMessages) addMessage(file, nested);
    addEnums(file, message.nestedEnums);
    addExtensions(file, message.nestedExtensions);
  };
  const addFile = (file: DescFile) => {
    if (files.has(file.proto.name)) return;
    files.set(file.proto.name, file);
    file.dependencies.forEach(addFile);
    for (const message of file.messages) addMessage(file, message);
    addEnums(file, file.enums);
    addExtensions(file, file.extensions);
    for (const service of file.services) {
      symbols.set(service.typeName, file);
      for (const method of service.methods) symbols.set(`${service.typeName}.${method.name}`, file);
    }
  };
  roots.forEach(addFile);
  const bytes = new Map(Array.from(files.values(), (file) => [file, toBinary(FileDescriptorProtoSchema, file.proto)]));

  return {
    services: roots.flatMap((root) => root.services.map((service) => service.typeName)).sort(),
    fileByName: (name) => files.get(name),
    fileBySymbol: (fullName) => symbols.get(fullName),
    fileByExtension: (extendee, number) => extensions.get(extendee)?.get(number),
    encoded: (file) => bytes.get(file)!,
    extensionNumbers(extendee) {
      if (!symbols.has(extendee)) return undefined;
      return [...(extensions.get(extendee)?.keys() ?? [])].sort((a, b) => a - b);
    },
  };
}
